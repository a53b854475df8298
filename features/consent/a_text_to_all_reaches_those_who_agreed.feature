# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: A text to all reaches those who agreed

    Scenario: Some are armed
      Given the sessions ci
      And api is armed
      And ci is armed
      When the operator pushes "stand-up at ten" to all
      Then it reaches 2 sessions
      And the model of api has read "stand-up at ten" once
      And the model of ci has read "stand-up at ten" once
      And the model of front has read nothing

    Scenario: Nobody is armed
      When the operator pushes "stand-up at ten" to all
      Then it reaches 0 sessions
      And nothing is stored

    Scenario: Sent again under its ref it reaches nobody new
      Given api is armed
      And the operator has pushed "stand-up at ten" to all under the ref all-hands
      And front is armed
      When the operator pushes "stand-up at ten" to all under the ref all-hands
      Then it reaches 1 session
      And the model of api has read "stand-up at ten" once
      And the model of front has read nothing

    Scenario: A consent that cannot be read stops it for all
      Given api is armed
      And front is armed
      And the consent mark of front is spoiled
      When the operator pushes "stand-up at ten" to all
      Then the push is refused: the target's consent cannot be read or proved
      And the exit code is 7
      And nothing is stored
