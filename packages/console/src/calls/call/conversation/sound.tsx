import { t } from '@switchroom/contract'
import { usePlayingStatus } from '../player/playback-store'

/** Lets the list follow the recording once its player has it. */
export function Sound({
  isFollowing,
  onFollow,
}: {
  isFollowing: boolean
  onFollow: (isFollowing: boolean) => void
}) {
  if (usePlayingStatus() !== 'ready') return null
  return (
    <div className="conversation-sound">
      <label>
        <input type="checkbox" checked={isFollowing} onChange={(e) => onFollow(e.target.checked)} />
        {t('Follow the recording')}
      </label>
    </div>
  )
}
