# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: Asking is agreeing to hear the answer

    Scenario: An unarmed session gets the answer it asked for
      Given api is armed
      And front has sent api "are your tests green?"
      When the model of api answers "all green"
      Then "all green" is delivered
      And the model of front has read "all green" once

    Scenario: A plain no refuses even an answer
      Given api is armed
      And front has sent api "are your tests green?"
      And front is disarmed
      When the model of api answers "all green"
      Then the answer is refused: the target has not agreed to hear it
      And the model of front has read nothing
