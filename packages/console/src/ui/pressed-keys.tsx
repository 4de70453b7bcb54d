import { keysOf } from './keys-of'

/** Keys of a telephone as they were pressed. Their look is in turns.css. */
export const PressedKeys = ({ digits }: { digits: string }) => (
  <p className="turn-keys">
    {keysOf(digits).map((key, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a key can be pressed twice
      <kbd key={i}>{key}</kbd>
    ))}
  </p>
)
