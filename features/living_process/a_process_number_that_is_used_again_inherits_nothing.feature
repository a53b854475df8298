# Promise P1: identity is a living process, never a number or a name.
Feature: P1, a session is a living process

  Everything Tidings knows of a session belongs to its owner: the process that was born at one
  moment on one machine, and the socket it bound. Numbers, paths and names come back after their
  owner has gone. What belonged to the owner does not.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: A process number that is used again inherits nothing

    @case:F38
    Scenario: Another program gets the number of a dead session
      When the process of api ends and another program gets its number
      And front sends api "are you still there?"
      Then the send ends: known but not running
      And api counts as dead

    Scenario: A new session under an old number starts without consent
      When the process of api ends and a new session gets its number and name
      And front sends api "hello, newcomer"
      Then the send is refused: the target has not agreed to hear it
      And nothing is stored
