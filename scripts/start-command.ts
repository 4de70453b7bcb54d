import manifest from '../package.json' with { type: 'json' }

/** The arguments that `npm start` gives to Node: its options, then the file. */
export const START = manifest.scripts.start.split(' ').slice(2)
