/** Access of a program: reading only, or all that its person may do. */
export const PROGRAM_ACCESS = ['read', 'write'] as const
export type ProgramAccess = (typeof PROGRAM_ACCESS)[number]

/** The interface that a program may use: the whole API, or the tools for agents at `/mcp`. */
export const PROGRAM_USES = ['api', 'mcp'] as const
export type ProgramUse = (typeof PROGRAM_USES)[number]

/** The command line, which every server knows. */
export const CLI_CLIENT_ID = 'switchroom-cli'
