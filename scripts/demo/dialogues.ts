/** Dialogues of callers and applications. */

export type Sector = 'hospitality' | 'health' | 'finance' | 'delivery' | 'utility'

/** A turn: what the application says, then what callers answer, by variants. */
export type Turn = { says: string; hears: readonly string[] }
export type Dialogue = {
  application: string
  path: string
  turns: readonly Turn[]
  /** Spoken before the application hangs up. */
  farewell: string
  /** Menu application, and where the first key that a caller presses leads. */
  menu: { application: string; prompt: string; keys: Readonly<Record<string, string>> }
  reminder: string
}

export const DIALOGUES: Record<Sector, Dialogue> = {
  hospitality: {
    application: 'Booking assistant',
    path: 'booking',
    turns: [
      {
        says: 'Thanks for calling. Would you like to make a booking or change one?',
        hears: ['I would like to book a table', 'make a booking please', 'change my booking'],
      },
      {
        says: 'Of course. For how many people?',
        hears: ['four people', 'two adults and a child', 'six', 'just two of us'],
      },
      {
        says: 'And for which day and time?',
        hears: ['Saturday at half past seven', 'tomorrow at eight', 'next Friday around six'],
      },
      {
        says: 'I have a table free then. May I have your name?',
        hears: ['it is Anna Whitcombe', 'Jonas Reed', 'Priya Nair', 'under Marchetti'],
      },
      {
        says: 'Thank you, that is booked. Is there anything else?',
        hears: ['no that is all thank you', 'do you have parking', 'no thanks'],
      },
    ],
    farewell: 'We look forward to seeing you. Goodbye.',
    menu: {
      application: 'Front desk',
      prompt: 'Press 1 for reservations, 2 for events, or hold for reception.',
      keys: { '1': 'reservations', '2': 'events', '0': 'reception' },
    },
    reminder: 'This is a reminder of your booking tomorrow. Press 1 to confirm, 2 to cancel.',
  },
  health: {
    application: 'Appointment assistant',
    path: 'appointments',
    turns: [
      {
        says: 'Hello, this is the appointment line. What can I do for you?',
        hears: [
          'I need an appointment',
          'I have to move my appointment',
          'is the clinic open today',
        ],
      },
      {
        says: 'Certainly. Is it urgent, or for a check-up?',
        hears: ['a check up', 'it is quite urgent', 'just the yearly check up'],
      },
      {
        says: 'The next free time is Thursday at ten fifteen. Does that suit you?',
        hears: ['yes that works', 'do you have something in the afternoon', 'Thursday is fine'],
      },
      {
        says: 'Please tell me your date of birth.',
        hears: ['the fourth of March nineteen eighty one', 'June second nineteen ninety'],
      },
    ],
    farewell: 'Your appointment is confirmed. We will send you a message. Goodbye.',
    menu: {
      application: 'Reception',
      prompt: 'For prescriptions press 1, for results press 2, otherwise please hold.',
      keys: { '1': 'prescriptions', '2': 'results', '0': 'reception' },
    },
    reminder: 'You have an appointment tomorrow at nine thirty. Press 1 to confirm, 2 to cancel.',
  },
  finance: {
    application: 'Claims assistant',
    path: 'claims',
    turns: [
      {
        says: 'Welcome. Please say what your call is about.',
        hears: ['I want to report a claim', 'the status of my claim', 'my card was stolen'],
      },
      {
        says: 'I am sorry to hear that. When did it happen?',
        hears: ['yesterday evening', 'this morning', 'on Monday', 'two weeks ago'],
      },
      {
        says: 'Do you have a policy number at hand?',
        hears: ['no I do not', 'yes it is seven four four one', 'one moment please'],
      },
      {
        says: 'Thank you. Shall I put you through to an adviser?',
        hears: ['yes please', 'no call me back', 'yes'],
      },
    ],
    farewell: 'An adviser will call you back within the hour. Goodbye.',
    menu: {
      application: 'Customer service',
      prompt: 'For a new claim press 1, for an existing one press 2, for anything else press 3.',
      keys: { '1': 'new claims', '2': 'claims desk', '3': 'advisers' },
    },
    reminder: 'A payment is due on Friday. Press 1 to hear the amount, 2 to speak to an adviser.',
  },
  delivery: {
    application: 'Order status',
    path: 'orders',
    turns: [
      {
        says: 'Hello. I can tell you where your order is. What is its number?',
        hears: ['five five zero one seven', 'I do not know the number', 'eight two nine one four'],
      },
      {
        says: 'It is on its way and arrives today before six. Can I do anything else?',
        hears: [
          'can you leave it with a neighbour',
          'change the delivery date',
          'no that is great',
        ],
      },
      {
        says: 'I have noted that for the driver. Anything else?',
        hears: ['no thank you', 'that is all', 'no'],
      },
    ],
    farewell: 'Thank you for calling. Goodbye.',
    menu: {
      application: 'Dispatch line',
      prompt: 'Press 1 to track a parcel, 2 for a new order, or hold for dispatch.',
      keys: { '1': 'tracking', '2': 'orders', '0': 'dispatch' },
    },
    reminder: 'Your delivery comes tomorrow between nine and twelve. Press 1 if that suits you.',
  },
  utility: {
    application: 'Outage assistant',
    path: 'outages',
    turns: [
      {
        says: 'You have reached the service line. Are you calling about a fault?',
        hears: ['yes we have no power', 'there is no hot water', 'no it is about my bill'],
      },
      {
        says: 'I see. What is your postcode?',
        hears: ['it is the one on my account', 'L S one four', 'six oh six one one'],
      },
      {
        says: 'There is a known fault in your area. It should be fixed by four. Shall I text you?',
        hears: ['yes send me a text', 'no thanks', 'how long has it been out'],
      },
    ],
    farewell: 'Thank you. We will keep you informed. Goodbye.',
    menu: {
      application: 'Service line',
      prompt: 'To report a fault press 1, to give a meter reading press 2, for billing press 3.',
      keys: { '1': 'faults', '2': 'meter readings', '3': 'billing' },
    },
    reminder: 'An engineer visits you tomorrow morning. Press 1 to confirm, 2 to change the time.',
  },
}
