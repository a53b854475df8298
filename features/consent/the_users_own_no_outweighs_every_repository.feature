# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: The user's own no outweighs every repository

    Scenario: A veto silences an opted-in repository
      Given the repository of api opts in
      And the user vetoes what repositories propose
      When front sends api "can you hear me?"
      Then the send is refused: the target has not agreed to hear it
