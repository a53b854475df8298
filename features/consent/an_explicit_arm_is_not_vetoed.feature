# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: An explicit arm is not vetoed

    @case:SX20
    Scenario: The operator arms a session in spite of the veto
      Given the user vetoes what repositories propose
      When the operator arms api
      And front sends api "the API changed"
      Then the message is delivered
