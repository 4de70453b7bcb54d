import { t } from '@switchroom/contract'
import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import { IconButton } from '../../ui/button'

/** `whole`: label of the button that shows all of it. */
export const ZoomButtons = ({
  whole,
  zoom,
  fit,
}: {
  whole: string
  zoom: (factor: number) => void
  fit: () => void
}) => (
  <>
    <IconButton label={t('Zoom in')} onClick={() => zoom(2)}>
      <ZoomIn />
    </IconButton>
    <IconButton label={t('Zoom out')} onClick={() => zoom(0.5)}>
      <ZoomOut />
    </IconButton>
    <IconButton label={whole} onClick={fit}>
      <Maximize2 />
    </IconButton>
  </>
)
