# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: Where the user demands it, an opt-in counts only as it was approved

    Scenario: An opt-in waits for its approval
      Given the repository of api opts in
      And the user demands to approve what repositories propose
      When front sends api "too early"
      Then the send is refused: the target has not agreed to hear it
      When a person at a terminal trusts the repository of api
      And front sends api "the API changed"
      Then the message is delivered

    Scenario: A changed file needs its approval anew
      Given the repository of api opts in
      And the user demands to approve what repositories propose
      And a person at a terminal trusts the repository of api
      When the repository of api changes its file
      And front sends api "can you hear me?"
      Then the send is refused: the target has not agreed to hear it
      When a person at a terminal trusts the repository of api
      And front sends api "and now?"
      Then "and now?" is delivered

    Scenario: An agent approves nothing
      Given the user demands to approve what repositories propose
      And the repository of api opts in
      When the model of api tries to trust its repository
      Then the trust ends: not allowed
      When front sends api "can you hear me?"
      Then the send is refused: the target has not agreed to hear it
