# Promise P2: unknown is not dead and not alive.
Feature: P2, what cannot be proved is neither alive nor dead

  The kernel may refuse an answer, and another container may be out of sight. Then the verdict is
  unknown. Unknown never arms a session, and never costs it what it said.

  Background:
    Given the sessions front and api

  Rule: What cannot be proved is not armed

    @case:F104
    Scenario: Consent does not count while its owner cannot be proved
      Given api is armed
      When the kernel tells nothing of api any more
      And front sends api "hello"
      Then the send is refused: the target's consent cannot be read or proved
      And the exit code is 7
      And the consent of api is unverifiable

    Scenario: Consent that could not be proved for a while is not lost
      Given api is armed
      When the kernel tells nothing of api any more
      And the kernel tells of api again
      Then api is armed

    Scenario: A session that cannot be proved cannot be armed
      When the kernel tells nothing of api any more
      And the operator arms api
      Then the arm ends: the owner cannot be proved
      And the exit code is 7

  Rule: What waits for an unproved session goes on waiting

    Scenario: A held message is neither written nor thrown away
      Given api is armed
      And api shows its operator a question
      And front has sent api "later is fine", held: the target shows its operator a dialog
      When the kernel tells nothing of api any more
      And the operator of api denies it
      Then the message is held: the target's consent cannot be read right now
      And the model of api has read nothing
      When the kernel tells of api again
      Then the message is delivered

  Rule: What cannot be proved is removed only by an explicit bound

    Scenario: Tidying up removes the dead and keeps the unknown
      When the kernel tells nothing of api any more
      And the process of front ends
      And somebody prunes the roster
      Then the roster still lists api
      And the roster does not list front

    Scenario: A bound in time lets the unknown go as well
      When the kernel tells nothing of api any more
      And 2 hours pass
      And somebody prunes what has been unknown for more than 1 hour
      Then the roster does not list api

    @case:SX11
    Scenario: Another container judges nobody here
      When somebody looks from another container that shares the state folder
      Then there api counts as unknown
      And there front counts as unknown
