import { t } from '@switchroom/contract'
import { useContext } from 'react'
import { Button } from '../../../ui/button'
import { PlaybackContext, usePlayingStatus } from '../player/playback-store'

/** Loads the recording, and then lets the list follow it. */
export function Sound({
  isFollowing,
  onFollow,
}: {
  isFollowing: boolean
  onFollow: (isFollowing: boolean) => void
}) {
  const { get } = useContext(PlaybackContext)
  const status = usePlayingStatus()
  const load = () => {
    const playing = get()
    if (playing?.status === 'idle') playing.load()
  }
  if (status === undefined) return null
  return (
    <div className="conversation-sound">
      {status === 'ready' ? (
        <label>
          <input
            type="checkbox"
            checked={isFollowing}
            onChange={(e) => onFollow(e.target.checked)}
          />
          {t('Follow the recording')}
        </label>
      ) : (
        <Button size="small" busy={status === 'loading'} onClick={load}>
          {status === 'loading' ? t('Loading the recording…') : t('Load the recording')}
        </Button>
      )}
    </div>
  )
}
