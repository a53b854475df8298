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

  Rule: Consent reaches as far as the operator said

    Scenario: Armed for one sender
      Given the sessions ci
      And api is armed for front
      When ci sends api "the build failed"
      Then the send is refused: the target has not agreed to hear it
      When front sends api "the API changed"
      Then the message is delivered

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

  Rule: A disarm outweighs the repository

    @case:S117
    Scenario: A disarmed session hears nothing until it is reset
      Given the repository of api opts in
      And api is disarmed
      When front sends api "can you hear me?"
      Then the send is refused: the target has not agreed to hear it
      When the operator resets the consent of api
      And front sends api "and now?"
      Then "and now?" is delivered

  Rule: The user's own no outweighs every repository

    Scenario: A veto silences an opted-in repository
      Given the repository of api opts in
      And the user vetoes what repositories propose
      When front sends api "can you hear me?"
      Then the send is refused: the target has not agreed to hear it

  Rule: An explicit arm is not vetoed

    @case:SX20
    Scenario: The operator arms a session in spite of the veto
      Given the user vetoes what repositories propose
      When the operator arms api
      And front sends api "the API changed"
      Then the message is delivered

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

  Rule: Another session's consent is widened by a person only

    Scenario: An agent arms itself only
      When the model of front tries to arm api
      Then the arm ends: not allowed
      And api is not armed

    Scenario: A script widens nobody's
      When a script tries to arm api
      Then the arm ends: not allowed
      And api is not armed

    Scenario: A person at a terminal does
      When a person at a terminal arms api
      Then api is armed

  Rule: The end of a narrow grant widens nothing

    Scenario: One whose time is over leaves the repository no say
      Given the repository of api opts in
      And api is armed for 1 hour
      When 2 hours pass
      And front sends api "too late?"
      Then the send is refused: the target has not agreed to hear it

    Scenario: Nor does one whose socket was made anew
      Given the repository of api opts in
      And the sessions ci
      And api is armed for front
      When the socket of api is made anew
      And 5 minutes pass
      And somebody reaps what has died
      And ci sends api "the build failed"
      Then the send is refused: the target has not agreed to hear it

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

  Rule: A withdrawal counts at once

    Scenario: What waits when consent is withdrawn is not delivered
      Given api is armed
      And api shows its operator a form
      And front has sent api "when you have time", held: the target shows its operator a dialog
      When the operator disarms api
      And the operator of api denies it
      Then the message is refused: consent was withdrawn
      And the model of api has read nothing

    @case:SX15
    Scenario: Arming again frees nothing old
      Given api is armed
      And api shows its operator a form
      And front has sent api "from before", held: the target shows its operator a dialog
      When the operator disarms api and arms it again in one breath
      And the operator of api denies it
      Then the message is refused: consent was withdrawn
      And the model of api has read nothing
      When front sends api "from after"
      Then the message is delivered

    Scenario: A delivery that has begun is stopped before its first byte, and disarm says so
      Given api is armed
      And the operator disarms api right before the next write
      When front sends api "just in time"
      Then the disarm ends: one write was under way
      And the message is refused: consent was withdrawn
      And the model of api has read nothing

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

  Rule: What has died arms nothing

    Scenario: A resumed conversation in a new process has to be armed anew
      Given api is armed
      When the process of api ends and its conversation is resumed in a new process
      And front sends api "welcome back"
      Then the send is refused: the target has not agreed to hear it
