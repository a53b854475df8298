# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: An unreadable mark means no

    Scenario: A spoiled mark arms nobody until it is reset
      Given api is armed
      When the consent mark of api is spoiled
      And front sends api "can you hear me?"
      Then the send is refused: the target's consent cannot be read or proved
      And the exit code is 7
      When the operator arms api
      Then the arm ends: the mark cannot be trusted
      When the operator resets the consent of api and arms it
      Then api is armed
