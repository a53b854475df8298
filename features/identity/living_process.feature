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

  Rule: Nobody is still the same after a reboot

    Scenario: The machine starts anew
      When the machine is started anew
      Then api counts as dead
      And front counts as dead
      And api is not armed

  Rule: A name finds a session, and is none

    Scenario: Two sessions that want one name get two addresses and share nothing
      When another session that wants the name api starts in the same folder
      Then the newcomer is called api-2
      And api-2 is not armed
      And api is armed

    @case:F12
    Scenario: A mistyped name creates nothing and lists what is near
      When front sends apy "did you mean api?"
      Then the send ends: no such session
      And the sender is told of api
      And nothing is stored

    @case:F51
    Scenario: A name is never completed by likeness
      When front sends ap "close enough?"
      Then the send ends: no such session
      And the model of api has read nothing
