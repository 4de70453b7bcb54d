import { randomUUID } from 'node:crypto'
import { type Answer, api, type RunView } from '@switchroom/contract'
import { expect, vi } from 'vitest'
import type { TestApp } from './app.ts'

export const START = { direction: 'inbound' as const, from: '15551230001', to: '15551230002' }

/** An application of account a1 whose calling webhook is here. */
export async function newApplication(t: TestApp, url: string, more: object = {}) {
  const { sid } = await t.as('a1')(api.applications.create, {
    body: {
      name: `app ${randomUUID()}`,
      call_hook: { url, method: 'POST' },
      call_status_hook: { url: new URL('/status', url).href, method: 'POST' },
      ...more,
    },
  })
  return sid
}

/** Runs of an application, as its tester sees them over HTTP. */
export function runsOf(t: Pick<TestApp, 'as' | 'request'>, application_sid: string) {
  const begin = (body: object = {}, who = 'a1') =>
    t.as(who)(api.runs.begin, { params: { application_sid }, body: { start: START, ...body } })
  const view = (run_sid: string, { skip = 0, who = 'a1' } = {}) =>
    t.as(who)(api.runs.view, { params: { application_sid, run_sid }, query: { skip } })
  const until = (run_sid: string, isSo: (run: RunView) => boolean) =>
    vi.waitFor(
      async () => {
        const run = await view(run_sid)
        expect(run).toSatisfy(isSo)
        return run
      },
      { timeout: 60_000, interval: 20 },
    )
  const path = (run_sid: string) => `/Applications/${application_sid}/Runs/${run_sid}`
  return {
    begin,
    view,
    until,
    path,
    /** The run as it waits for an answer to another question than the last one. */
    asked: (run_sid: string, last: number | null = null) =>
      until(run_sid, ({ question }) => question !== null && question !== last),
    ended: (run_sid: string) => until(run_sid, ({ state }) => state === 'ended'),
    /** Answers the open question. */
    async answer(run: RunView, answer: Answer, who = 'a1') {
      const body = { question: run.question, answer }
      return t.request(who, 'POST', `${path(run.run_sid)}/Answers`, body)
    },
    stop: (run_sid: string, who = 'a1') => t.request(who, 'POST', `${path(run_sid)}/Stop`),
    list: async (query: object = {}, who = 'a1') =>
      (
        await t.as(who)(api.runs.list, {
          params: { application_sid },
          query: { page: 1, ...query },
        })
      ).data,
  }
}

/** Texts that the caller heard. */
export const said = ({ steps }: Pick<RunView, 'steps'>) =>
  steps.flatMap((step) => (step.kind === 'said' ? [step.text] : []))
