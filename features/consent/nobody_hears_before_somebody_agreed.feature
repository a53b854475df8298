# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: Nobody hears before somebody agreed

    Scenario: An unarmed session is not written to
      When front sends api "the API changed"
      Then the send is refused: the target has not agreed to hear it
      And the exit code is 5
      And nothing is stored

    Scenario: An armed session hears
      When the operator arms api
      And front sends api "the API changed"
      Then the message is delivered
      And the model of api has read "the API changed" once
