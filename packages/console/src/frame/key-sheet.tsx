import { useState } from 'react'
import { setSingleKeys, singleKeysAreOn } from '../lib/single-keys'
import { Dialog } from '../ui/dialog'
import { Switch } from '../ui/toggle'
import './key-sheet.css'

const MOD = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘' : 'Ctrl'

/** Alternatives are listed apart: each is one key, or keys pressed together. */
const groups: { title: string; keys: [what: string, ...alternatives: string[][]][] }[] = [
  {
    title: 'Lists',
    keys: [
      ['Next row', ['↓'], ['j']],
      ['Previous row', ['↑'], ['k']],
      ['First, last row', ['Home'], ['End']],
      ['Controls of the row', ['←'], ['→']],
      ['Open', ['Enter']],
      ['Edit', ['e']],
      ['Select', ['x']],
      ['Select up to here', ['Shift', 'x']],
    ],
  },
  {
    title: 'Everywhere',
    keys: [
      ['Filter the list', ['/']],
      ['Save the form', [MOD, 'S']],
      ['Show keyboard shortcuts', ['?']],
    ],
  },
]

export function KeySheet({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(singleKeysAreOn)
  return (
    <Dialog open wide onClose={onClose} title="Keyboard shortcuts">
      <div className="dialog-body">
        <div className="key-sheet">
          {groups.map(({ title, keys }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {keys.map(([what, ...alternatives]) => (
                  <div key={what}>
                    <dt>{what}</dt>
                    <dd>
                      {alternatives.map((together) => (
                        <span key={together.join()}>
                          {together.map((key) => (
                            <kbd key={key}>{key}</kbd>
                          ))}
                        </span>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
        <Switch
          label="Single-key shortcuts"
          help="Turn off if you use speech input. Arrow keys keep working."
          value={on}
          onChange={(next) => {
            setSingleKeys(next)
            setOn(next)
          }}
        />
      </div>
    </Dialog>
  )
}
