import type { Who } from '../../client/screen-list'

/** What can lie over a screen: the palette, or the list of keys. */
export type LayerName = 'palette' | 'keys'

/** The props of both layers; `show` replaces one by the other. */
export type LayerProps = { who: Who; onClose: () => void; show: (layer: LayerName) => void }
