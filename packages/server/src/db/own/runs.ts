import type { Flag, RunOutcome, ScoreResult } from '@switchroom/contract'

export type RunTables = {
  /** Calls to applications that are played without a telephone. */
  switchroom_runs: {
    run_sid: string
    application_sid: string
    account_sid: string | null
    /** The run whose answers it was begun with. */
    repeats: string | null
    test_case_sid: string | null
    /** Set if it plays a call of a suite, or repeats a run that does. */
    suite_sid: string | null
    /** ISO 8601, UTC. */
    begun_at: string
    /** Last sign of life of the process that plays it; null once it has ended. Milliseconds. */
    seen_at: number | null
    /** JSON (`RunStart`). */
    start: string
    step_count: number
    problems: number
    /** The number of the step whose question waits for an answer. */
    question: number | null
    /** JSON (`Answer`): the tester's answer, until the process that plays the run has read it. */
    answer: string | null
    is_stopped: Flag
    ended: string | null
    /** JSON arrays. */
    expectations: string | null
    outcomes: string | null
    is_passed: Flag | null
  }
  switchroom_run_steps: {
    run_sid: string
    /** From 0. */
    number: number
    /** JSON (`RunStep`). */
    step: string
  }
  /** Runs without a tester, and expectations of the application. */
  switchroom_test_cases: {
    test_case_sid: string
    application_sid: string
    account_sid: string | null
    name: string
    /** JSON: the call's settings, the caller's answers, and the expectations. */
    content: string
    latest_run_sid: string | null
    /** ISO 8601, UTC. */
    created_at: string
    updated_at: string
  }
  /** How calls of applications are scored, and what was used of the day's budget. */
  switchroom_score_cards: {
    application_sid: string
    account_sid: string
    is_active: Flag
    /** JSON: share, budget, rules, criteria, goal and pass score. */
    content: string
    /** Milliseconds. Calls that ended until then were looked at; null until it is active. */
    seen_until: number | null
    /** Day of `used_calls` and `used_tokens`, in UTC. */
    day: string
    used_calls: number
    used_tokens: number
    /** Failures of the language model in a row. */
    failures: number
    /** Milliseconds. */
    paused_until: number
    /** ISO 8601, UTC. */
    updated_at: string
  }
  /** Calls that were scored, or wait for it. */
  switchroom_call_scores: {
    account_sid: string
    call_sid: string
    application_sid: string
    trace_id: string
    /** Beginning of the call. ISO 8601, UTC. */
    called_at: string
    /** When the call was found, in milliseconds. */
    found_at: number
    tries: number
    /** Null while it waits. */
    result: ScoreResult | null
    tokens: number
    /** JSON: rules, criteria and pass score. Null while it waits. */
    content: string | null
    scored_at: string | null
    /** Empty if the call has none; null if its account splits no figures. */
    version: string | null
  }
  /** Result of each rule and criterion in a scored call. */
  switchroom_score_items: {
    account_sid: string
    call_sid: string
    number: number
    kind: 'rule' | 'criterion'
    /** The rule as a sentence, or the name of the criterion. */
    name: string
    /** Null if it could not be judged. */
    is_passed: Flag | null
    score: number | null
  }
  /** The process that scores calls. Times are in milliseconds. */
  switchroom_score_watch: { id: number; holder: string; leased_until: number }
  /** Callers that a language model plays in runs of an application. */
  switchroom_simulated_callers: {
    simulated_caller_sid: string
    application_sid: string
    account_sid: string | null
    name: string
    /** JSON: the call's settings, the person, the goal, the limits, rules and criteria. */
    content: string
    /** ISO 8601, UTC. */
    created_at: string
    updated_at: string
  }
  /** Result of a run with a simulated caller. */
  switchroom_simulated_runs: {
    run_sid: string
    simulated_caller_sid: string
    /** JSON: name, goal and token limit of the caller at that time, and the number of this conversation among how many. */
    caller: string
    /** Answers of the model. */
    turns: number
    tokens: number
    /** Null until the conversation has ended. */
    outcome: RunOutcome | null
    /** The caller's, or the model's failure. */
    reason: string | null
    /** True if the caller says that it reached its goal. */
    is_reached: Flag | null
    /** JSON; null without criteria, and until they have been graded. */
    scores: string | null
  }
  /** Suites: calls of an application that were played again. */
  switchroom_suites: {
    suite_sid: string
    application_sid: string
    account_sid: string | null
    /** ISO 8601, UTC. */
    begun_at: string
    /** JSON: the period, its calls, the events of each, and its run. */
    content: string
  }
}
