# Promise P1: identity is a living process, never a number or a name.
Feature: P1, a session is a living process

  Everything Tidings knows of a session belongs to its owner: the process that was born at one
  moment on one machine, and the socket it bound. Numbers, paths and names come back after their
  owner has gone. What belonged to the owner does not.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: A socket made anew at the same path is another socket

    @case:SX3
    Scenario: The file system gives the new socket the same inode
      When the socket of api is made anew on the same inode
      And front sends api "hello"
      Then the send ends: known but not running
      And api counts as dead

    Scenario: The session is settled anew, and what was agreed for the old socket is gone
      When the socket of api is made anew
      And 1 minute passes
      Then api counts as alive
      When front sends api "hello"
      Then the send is refused: the target has not agreed to hear it

    Scenario: A message is never written to whoever listens there now
      Given api shows its operator a permission prompt
      And front has sent api "wait for me", held: the target shows its operator a dialog
      When the socket of api is made anew
      And the operator of api denies it
      Then the message is refused: consent was withdrawn
      And the model of api has read nothing
