# Promise P1: identity is a living process, never a number or a name.
Feature: P1, a session is a living process

  Everything Tidings knows of a session belongs to its owner: the process that was born at one
  moment on one machine, and the socket it bound. Numbers, paths and names come back after their
  owner has gone. What belonged to the owner does not.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: Nobody is still the same after a reboot

    Scenario: The machine starts anew
      When the machine is started anew
      Then api counts as dead
      And front counts as dead
      And api is not armed
