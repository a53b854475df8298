# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: Consent reaches as far as the operator said

    Scenario: Armed for one sender
      Given the sessions ci
      And api is armed for front
      When ci sends api "the build failed"
      Then the send is refused: the target has not agreed to hear it
      When front sends api "the API changed"
      Then the message is delivered

    Scenario: Armed for notices
      Given api is armed for messages of kind notice
      When front sends api "the API changed"
      Then the send is refused: the target has not agreed to hear it
      When front notifies api "the API changed"
      Then the message is held: a notice starts no turn here

    Scenario: Armed for an hour
      Given api is armed for 1 hour
      When 2 hours pass
      And front sends api "too late?"
      Then the send is refused: the target has not agreed to hear it

    Scenario: Two sessions in one folder share nothing
      Given a session review in the folder of api
      When the operator arms api
      Then api is armed
      And review is not armed
