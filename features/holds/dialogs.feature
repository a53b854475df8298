# Promise P7: never into an open dialog.
Feature: P7, nothing is written while a session asks its operator something

  While a client shows a permission prompt, a question or a form, a frame would be taken for the
  answer, or would spoil it. So the message is held. It goes out by itself when the dialog closes,
  however it closes.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: An open dialog holds what is sent

    @case:F59
    Scenario Outline: Every kind of dialog holds
      Given api shows its operator a <dialog>
      When front sends api "not now"
      Then the message is held: the target shows its operator a dialog
      And the exit code is 0
      And the model of api has read nothing

      Examples:
        | dialog                          |
        | permission prompt               |
        | question                        |
        | form                            |
        | permission prompt of a subagent |

    Scenario: A dialog of which no hook tells shows in the published status
      Given the client of api says that it waits for its operator, and no hook tells why
      When front sends api "not now"
      Then the message is held: the target shows its operator a dialog
      When the operator of api denies it
      Then the message is delivered

    @case:F60
    Scenario: A message that was waiting already is held by a dialog that opens later
      Given the resident of api has ended
      And front has sent api "since before", held: no resident of the target is ready
      When api shows its operator a question
      And another resident takes over api
      Then the message is held: the target shows its operator a dialog
      And the model of api has read nothing
      When the operator of api denies it
      Then the message is delivered

    Scenario: A dialog that opens at the last moment stops the write
      Given a permission prompt opens at api right before the next write
      When front sends api "nearly there"
      Then the message is held: the target shows its operator a dialog
      And the model of api has read nothing
      When the operator of api denies it
      Then the message is delivered
      And the model of api has read "nearly there" once

  Rule: The message goes out when the dialog closes, however it closes

    Scenario: The operator allows it
      Given api shows its operator a permission prompt
      And front has sent api "afterwards", held: the target shows its operator a dialog
      When the operator of api allows it
      Then the message is delivered

    @case:R261
    Scenario: The operator denies it, of which no hook tells
      Given api shows its operator a permission prompt
      And front has sent api "one", held: the target shows its operator a dialog
      And front has sent api "two", held: an earlier message is still waiting
      When the operator of api denies it
      Then the model of api has read "one" and "two" in this order

    Scenario: The main turn ends while a subagent still asks
      Given the client of api publishes no status
      And api shows its operator a permission prompt of a subagent
      And front has sent api "afterwards", held: the target shows its operator a dialog
      When the main turn of api ends
      Then the message is held: the target shows its operator a dialog
      And the model of api has read nothing
      When the operator of api allows it
      Then the message is delivered

  Rule: Doubt holds

    Scenario: A client that publishes no status is believed by its hooks alone
      Given the client of api publishes no status
      And api shows its operator a permission prompt
      And front has sent api "are you free?" for 5 minutes, held: the target shows its operator a dialog
      When the operator of api denies it
      Then the message is held: the target shows its operator a dialog
      When 6 minutes pass
      Then the message is expired: the deadline has passed
      And the model of api has read nothing

  @real
  Rule: It is so with real processes

    Scenario: A permission prompt, denied, between two real clients
      When front sends api "one moment"
      Then the message is delivered
      When api shows its operator a permission prompt
      And front sends api "and another"
      Then the message is held: the target shows its operator a dialog
      And the model of api has read "and another" 0 times
      When the operator of api denies it
      Then the message is delivered
      And the model of api has read "and another" once
