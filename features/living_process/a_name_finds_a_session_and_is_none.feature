# Promise P1: identity is a living process, never a number or a name.
Feature: P1, a session is a living process

  Everything Tidings knows of a session belongs to its owner: the process that was born at one
  moment on one machine, and the socket it bound. Numbers, paths and names come back after their
  owner has gone. What belonged to the owner does not.

  Background:
    Given the sessions front and api
    And api is armed

  Rule: A name finds a session, and is none

    Scenario: Two sessions that want one name get two addresses and share nothing
      When another session that wants the name api starts in the same folder
      Then the newcomer is called api-2
      And api-2 is not armed
      And api is armed

    @case:F12
    Scenario: A mistyped name creates nothing and lists what is near
      When front sends apy "did you mean api?"
      Then the send ends: no such session
      And the sender is told of api
      And nothing is stored

    @case:F51
    Scenario: A name is never completed by likeness
      When front sends ap "close enough?"
      Then the send ends: no such session
      And the model of api has read nothing
