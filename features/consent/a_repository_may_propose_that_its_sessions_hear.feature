# Promise P3: consent is explicit, scoped, per session, and withdrawn at once.
Feature: P3, a session hears only what its operator agreed to

  To be present is a fact. To listen is a grant. The operator arms a session, for everybody or for
  some, for good or for a time, and disarms it again. Asking is agreeing to hear the answer.

  Background:
    Given the sessions front and api

  Rule: A repository may propose that its sessions hear

    Scenario: In an opted-in repository a session hears without being armed
      Given the repository of api opts in
      When front sends api "the API changed"
      Then the message is delivered
      And api is not armed

    Scenario: An opt-in that is taken back ends at once
      Given the repository of api opts in
      When the repository of api takes its opt-in back
      And front sends api "still there?"
      Then the send is refused: the target has not agreed to hear it
