# Promise P6: no overtaking.
Feature: P6, messages to one session go out in the order in which they were accepted

  A queue belongs to one target. Whoever was accepted first goes first, held ones included, and
  whatever the clocks say.

  Background:
    Given the sessions front, ci and api
    And api is armed

  Rule: What waits goes out in the order of acceptance

    @case:M142
    Scenario: Three messages wait for one dialog
      Given api shows its operator a permission prompt
      When front sends api "one"
      And ci sends api "two"
      And front sends api "three"
      Then "one" is held: the target shows its operator a dialog
      And "two" is held: an earlier message is still waiting
      And "three" is held: an earlier message is still waiting
      When the operator of api denies it
      Then the model of api has read "one", "two" and "three" in this order

    Scenario: The operator's own words take their place in the queue
      Given api shows its operator a permission prompt
      And front has sent api "one", held: the target shows its operator a dialog
      When the operator sends api "two" from a terminal
      Then "two" is held: an earlier message is still waiting
      When the operator of api denies it
      Then the model of api has read "one" and "two" in this order

    Scenario: A clock that is set back changes no order
      Given api shows its operator a permission prompt
      And front has sent api "one", held: the target shows its operator a dialog
      When the wall clock is set back by 1 hour
      And front sends api "two"
      Then "two" is held: an earlier message is still waiting
      When the operator of api denies it
      Then the model of api has read "one" and "two" in this order

  Rule: One session's queue delays nobody else's

    Scenario: A message to another session does not wait
      Given ci is armed
      And api shows its operator a permission prompt
      And front has sent api "for api", held: the target shows its operator a dialog
      When front sends ci "for ci"
      Then "for ci" is delivered

  Rule: A notice starts no turn and blocks nobody

    Scenario: A notice waits for the next message and goes out right before it
      When front notifies api "the build is green"
      Then "the build is green" is held: a notice starts no turn here
      And the model of api has read nothing
      When ci sends api "please rebase"
      Then the model of api has read "the build is green" and "please rebase" in this order

    Scenario: A notice behind a held message keeps its place and waits on
      Given api shows its operator a permission prompt
      And front has sent api "one", held: the target shows its operator a dialog
      When ci notifies api "two"
      Then "two" is held: an earlier message is still waiting
      When the operator of api denies it
      Then "one" is delivered
      And "two" is held: a notice starts no turn here

    Scenario: A notice for which no turn comes runs out of time
      When front notifies api "the build is green"
      Then the message is held: a notice starts no turn here
      When 3 hours pass
      Then the message is expired: the deadline has passed
      And the model of api has read nothing

  Rule: A message that will never go out blocks nobody

    Scenario: The first in the queue runs out of time
      Given api shows its operator a permission prompt
      And front has sent api "one" for 2 minutes, held: the target shows its operator a dialog
      And front has sent api "two", held: an earlier message is still waiting
      When 3 minutes pass
      Then "one" is expired: the deadline has passed
      And "two" is held: the target shows its operator a dialog
      When the operator of api denies it
      Then "two" is delivered
