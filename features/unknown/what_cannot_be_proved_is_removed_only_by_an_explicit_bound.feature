# Promise P2: unknown is not dead and not alive.
Feature: P2, what cannot be proved is neither alive nor dead

  The kernel may refuse an answer, and another container may be out of sight. Then the verdict is
  unknown. Unknown never arms a session, and never costs it what it said.

  Background:
    Given the sessions front and api

  Rule: What cannot be proved is removed only by an explicit bound

    Scenario: Tidying up removes the dead and keeps the unknown
      When the kernel tells nothing of api any more
      And the process of front ends
      And somebody prunes the roster
      Then the roster still lists api
      And the roster does not list front

    Scenario: A bound in time lets the unknown go as well
      When the kernel tells nothing of api any more
      And 2 hours pass
      And somebody prunes what has been unknown for more than 1 hour
      Then the roster does not list api

    @case:SX11
    Scenario: Another container judges nobody here
      When somebody looks from another container that shares the state folder
      Then there api counts as unknown
      And there front counts as unknown
