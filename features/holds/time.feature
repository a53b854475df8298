# Promise P8: time ends things.
Feature: P8, every message ends, in one way, and in time

  A message lives until its deadline and no longer. To be held buys it no time. When it has ended it
  stays ended, and the sender can ask how and why.

  Background:
    Given the sessions front and api
    And api is armed
    And api shows its operator a permission prompt

  Rule: A hold never extends a deadline

    Scenario: A held message expires on time
      Given front has sent api "within three minutes" for 3 minutes, held: the target shows its operator a dialog
      When 2 minutes pass
      Then the message is held: the target shows its operator a dialog
      When 2 minutes pass
      Then the message is expired: the deadline has passed
      And the sender can read why and what to do next

    Scenario: A dialog that closes too late frees nothing
      Given front has sent api "within three minutes" for 3 minutes, held: the target shows its operator a dialog
      When 4 minutes pass
      Then the message is expired: the deadline has passed
      When the operator of api denies it
      Then the model of api has read nothing
      And the message is expired: the deadline has passed

    @case:R267
    Scenario: Whoever asks sees a passed deadline, even where nobody was there to note it
      Given front has sent api "anyone?" for 3 minutes, held: the target shows its operator a dialog
      And the resident of api has ended
      When 4 minutes pass
      Then the message is expired: the deadline has passed

    Scenario: A deadline that passes at the last moment stops the write
      Given the operator of api denies it
      And 5 minutes pass right before the next write
      When front sends api "now or never" for 3 minutes
      Then the message is expired: the deadline has passed
      And the model of api has read nothing

  Rule: Only time that passed counts

    Scenario: A wall clock that is set forward expires nothing
      Given front has sent api "no hurry" for 3 minutes, held: the target shows its operator a dialog
      When the wall clock is set forward by 1 day
      Then the message is held: the target shows its operator a dialog
      When the operator of api denies it
      Then the message is delivered

    Scenario: The machine's sleep counts
      Given front has sent api "before lunch" for 3 minutes, held: the target shows its operator a dialog
      When the machine sleeps for 1 hour
      Then the message is expired: the deadline has passed

  Rule: A message ends once

    Scenario: A delivered message does not expire afterwards
      Given the operator of api denies it
      And front has sent api "in time" for 3 minutes
      When 1 hour passes
      Then the message is delivered

    Scenario: A message that was taken back is not delivered
      Given front has sent api "never mind", held: the target shows its operator a dialog
      When front cancels the message
      And the operator of api denies it
      Then the message is refused: the sender cancelled it
      And the model of api has read nothing

  Rule: A newer message can take the place of one that still waits

    Scenario: Only the newest of what was sent under one key is delivered
      Given front has sent api "build 1 failed" under the key pr-412
      Then the message is held: the target shows its operator a dialog
      When front sends api "build 2 failed" under the key pr-412
      Then "build 1 failed" is refused: a newer one took its place
      And "build 2 failed" is held: the target shows its operator a dialog
      When the operator of api denies it
      Then "build 2 failed" is delivered
      And the model of api has read "build 1 failed" 0 times
