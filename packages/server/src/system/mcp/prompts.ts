import type { Prompt } from './surface.ts'

type Argument = { name: string; description: string; required?: boolean }

/** A prompt for a job of an operator: the tools to use, in order. Arguments are the person's own words. */
const job = (
  name: string,
  title: string,
  description: string,
  args: Argument[],
  steps: string,
): Prompt => ({
  listed: { name, title, description, arguments: args },
  get: (given) => {
    const known = args.flatMap((arg) => {
      const value = given[arg.name]
      return value ? [`${arg.name}: ${JSON.stringify(value)}`] : []
    })
    const text = [...known, steps].join('\n')
    return { description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  },
})

const ASK_FIRST =
  'Show me the plan, with every field and what it means, and wait for my word before apply_change.'
const CALL = { name: 'call', description: 'A call_sid, trace_id or Call-ID', required: true }
const NUMBER = { name: 'number', description: 'The number that is called', required: true }

/** Prompts for the most common jobs of operators. */
export const prompts: Prompt[] = [
  job(
    'whats_wrong',
    'What is wrong now?',
    'Go through what is wrong, the worst first',
    [],
    'Tell me what is wrong in my telephony now. Use explain_failures without arguments, then look at one failed call of each of the three worst issues with explain_call. For each: what happens, since when, who is hit, the likely cause, and what to do.',
  ),
  job(
    'explain_call',
    'What happened in this call?',
    'Explain one call in plain words',
    [CALL],
    'Explain this call to me with explain_call: who called whom, how it ended and by whom, what was said, what the SIP messages show, and what should be mended.',
  ),
  job(
    'failing_destination',
    'Why do calls to this number fail?',
    'Find out why a destination fails',
    [NUMBER],
    'Find out why calls to this number fail. Use explain_failures with it, explain_call for the latest failed call, and simulate_route for the way it takes now. Say whether the cause is the number, our routing, or the carrier.',
  ),
  job(
    'carrier_trouble',
    'How is this carrier?',
    'Judge the state of a carrier',
    [{ name: 'carrier', description: 'Its name or sid', required: true }],
    'Find this carrier with find, then use explain_failures with its voip_carrier_sid, and list_calls with its name as trunk. Tell me its state, since when, which gateways answer, and write what I should send to its support.',
  ),
  job(
    'check_route',
    'Which way would a call go?',
    'Simulate a call and explain its route',
    [NUMBER, { name: 'from', description: 'The caller’s number' }],
    'Tell me which way a call to this number would go, with simulate_route, step by step in plain words, and whether its routing table has likely mistakes.',
  ),
  job(
    'connect_number',
    'Connect a number',
    'Give a phone number to an application',
    [NUMBER, { name: 'application', description: 'The application’s name', required: true }],
    `Find the number and the application with find. Plan with plan_change that the number (new, if there is none) goes to the application. ${ASK_FIRST} Then simulate an inbound call to it.`,
  ),
  job(
    'add_carrier',
    'Add a carrier',
    'Add a carrier with its gateways',
    [
      { name: 'name', description: 'The carrier’s name', required: true },
      { name: 'gateways', description: 'Its addresses', required: true },
    ],
    `Add this carrier, then a SIP gateway for each of its addresses. Look first whether it exists, and whether predefinedCarriers.list has it. Plan each with plan_change. ${ASK_FIRST}`,
  ),
  job(
    'new_account',
    'Set up an account',
    'Create an account and what it needs for a first call',
    [{ name: 'name', description: 'The account’s name', required: true }],
    `Set up an account of this name: the account, an application, and a number if I have one free (phoneNumbers.list). Ask me for the webhooks. Plan each with plan_change. ${ASK_FIRST} At the end use simulate_route for a call to the number.`,
  ),
  job(
    'test_application',
    'Try an application',
    'Call an application without a telephone',
    [{ name: 'application', description: 'The application’s name', required: true }],
    'Find this application and call it with try_application. Answer its questions as a caller would. Tell me how it went: what it said, what the platform would refuse, and where a caller would be lost.',
  ),
  job(
    'daily_report',
    'Report of the day',
    'Sum up the last day',
    [],
    'Sum up the last 24 hours with figures (calls, anomalies and voice) and explain_failures: how many calls, how many were answered, what is unusual, what is wrong, and the three things to do first. Tell what was changed, too: read audit.list.',
  ),
]
