/** What a program may do with what its person may. */
export const PROGRAM_ACCESS = ['read', 'write'] as const
export type ProgramAccess = (typeof PROGRAM_ACCESS)[number]

/** What a program may reach: the whole API, or the tools for agents at `/mcp`. */
export const PROGRAM_USES = ['api', 'mcp'] as const
export type ProgramUse = (typeof PROGRAM_USES)[number]

/** The command line, which every server knows. */
export const CLI_CLIENT_ID = 'switchroom-cli'
