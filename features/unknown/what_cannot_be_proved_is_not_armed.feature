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
