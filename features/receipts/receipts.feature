# Promise P12: receipts tell the truth.
Feature: P12, a receipt says what is known and nothing else

  Delivered means that the bytes left. That the model saw them, or answered, is evidence with names
  of its own. Uncertain is neither delivered nor failed for sure, and has its own exit code.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: Delivered, seen and answered are three things

    Scenario: The bytes left, and the client never showed them to its model
      Given the model of api is deaf
      When front sends api "hello?"
      Then the message is delivered
      And its evidence is written
      When 1 hour passes
      Then its evidence is unseen
      And the message is delivered

    Scenario: The client gave the frame to its model
      When front sends api "hello"
      Then the message is delivered
      And its evidence is seen

    Scenario: The model answered
      Given front has sent api "all green?"
      When the model of api answers "all green"
      Then the evidence of "all green?" is answered

    Scenario: A prompt that only mentions a message proves nothing
      Given the model of api is deaf
      And front has sent api "hello?"
      When the operator of api types the ref of the message
      Then its evidence is written

    Scenario: An uncertain message stays uncertain, even when the model was seen to read it
      Given the resident of api is killed in its next write
      When front sends api "did that arrive?"
      And another resident takes over api
      Then the message is uncertain: the outcome of the write was lost
      And its evidence is seen

  Rule: Every receipt has its exit code

    Scenario Outline: What a script can tell apart
      Given <misfortune>
      When front sends api "anything"
      Then the outcome is <outcome>
      And the exit code is <code>

      Examples:
        | misfortune                                     | outcome                                                      | code |
        | api shows its operator a question              | held: the target shows its operator a dialog                 | 0    |
        | the socket of api takes no byte of the next frame | failed: no byte left                                      | 1    |
        | api is disarmed                                | refused: the target has not agreed to hear it                | 5    |
        | the consent mark of api is spoiled             | refused: the target's consent cannot be read or proved       | 7    |
        | the socket of api takes a part of the next frame  | uncertain: only a part of it left                         | 8    |
        | the process of api has ended                   | known but not running                                        | 9    |

  Rule: A question gets one answer

    Scenario: A second answer is told of the first
      Given front has sent api "which port?"
      And the model of api has answered "8080"
      When the model of api replies to "which port?" with "8081"
      Then the answer is refused: it was answered before
      And the model of front has read "8081" 0 times

  Rule: A client version that nobody tried gets one frame, alone

    A frame to a client that drops it in silence would be called delivered. So the socket of a client
    version is used freely only where that version was tested, or where its first frame on this
    machine was seen. Otherwise messages take the ways that are left.

    @case:M204
    Scenario: Its first frame is seen
      Given the client of api is of a version that was never tried
      When front sends api "one"
      And front sends api "two"
      Then "one" is delivered
      And "two" is delivered
      And "two" went by harness-socket

    Scenario: Its first frame is not seen, and no byte follows it
      Given the client of api is of a version that was never tried
      And the model of api is deaf
      When front sends api "one"
      And front sends api "two"
      Then "one" is delivered
      And "two" is held: no frame to its client was seen yet
      When 2 minutes pass
      Then "two" is delivered
      And "two" went by monitor-line
      And the model of api has read "two" once
      And one frame was written to api
      And the evidence of "one" is unseen

  Rule: What fits no line waits to be pulled

    Scenario: A short message is a line
      Given the client of api is of a version that was tried in vain
      When front sends api "the API changed"
      Then the message is delivered
      And its evidence is seen
      And "the API changed" went by monitor-line

    Scenario: A long message is told of once
      Given the client of api is of a version that was tried in vain
      When front sends api a text of 600 letters
      Then the message is held: it waits until the session takes it
      And the model of api was told that messages wait once
      When 10 minutes pass
      Then the model of api was told that messages wait once

  Rule: What a client keeps from its model is shown, and never called seen

    Scenario Outline: The client's own settings hold or refuse what comes in
      Given the client of api <does> what comes in
      When front sends api "hello?"
      Then the message is delivered
      And its evidence is written
      And it shows that the client of api <does> what comes in
      When 1 hour passes
      Then its evidence is unseen
      And the model of api has read nothing

      Examples:
        | does    |
        | holds   |
        | refuses |

  @real
  Rule: It is so with real processes

    Scenario: A question and its answer between two real clients, and then a crash
      When front sends api "are your tests green?"
      Then the message is delivered
      And its evidence is seen
      When the model of api answers "all green"
      Then "all green" is delivered
      And the evidence of "are your tests green?" is answered
      And the model of front has read "all green" once
      When the process of api ends
      And front sends api "are you still there?"
      Then the send ends: known but not running
