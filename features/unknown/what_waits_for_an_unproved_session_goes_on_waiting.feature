# Promise P2: unknown is not dead and not alive.
Feature: P2, what cannot be proved is neither alive nor dead

  The kernel may refuse an answer, and another container may be out of sight. Then the verdict is
  unknown. Unknown never arms a session, and never costs it what it said.

  Background:
    Given the sessions front and api

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
