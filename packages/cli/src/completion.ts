import type { Command } from 'commander'
import { UsageError } from './exit.ts'

/** Each asks this program for the words that may come, so that none of them can be out of date. */
const SCRIPTS: Record<string, string> = {
  bash: `_switchroom() {
  local IFS=$'\\n'
  COMPREPLY=($(switchroom __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _switchroom switchroom
`,
  zsh: `#compdef switchroom
_switchroom() {
  local -a found
  found=("\${(@f)$(switchroom __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _switchroom switchroom
`,
  fish: `complete -c switchroom -f -a '(switchroom __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

/** The words that may come where the last one is typed. */
export function completions(program: Command, words: string[]): string[] {
  const typed = words.at(-1) ?? ''
  let command = program
  for (const word of words.slice(0, -1))
    command =
      command.commands.find((c) => c.name() === word || c.aliases().includes(word)) ?? command
  const options = [...command.options, ...program.options]
  const before = options.find((option) => option.long === words.at(-2))
  const flags = [...options.map(({ long }) => long!), '--help']
  const visible = command.commands.filter((c) => !c.name().startsWith('__')).map((c) => c.name())
  const all = before?.argChoices ?? (typed.startsWith('-') ? flags : visible)
  return all.filter((word) => word.startsWith(typed))
}

export function addCompletion(program: Command, out: (text: string) => void) {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print the completion script of a shell')
    .action((shell: string) => {
      if (!Object.hasOwn(SCRIPTS, shell))
        throw new UsageError('There are scripts for bash, zsh and fish')
      out(SCRIPTS[shell]!)
    })
}
