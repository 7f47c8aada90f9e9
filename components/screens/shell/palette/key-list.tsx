'use client'

import { Fragment, useState } from 'react'
import { screensOf } from '../../../client/screen-list'
import { commandsNow, singleKeys } from '../../../ui/commands'
import { Dialog } from '../../../ui/dialog'
import { Kbd } from '../../../ui/kbd'
import type { LayerProps } from '../layers'
import { usePaletteKey } from '../palette-button'

/** Keys that are pressed one after another. */
type Line = { title: string; keys: readonly string[] }

const STEPS = [
  { title: 'Next row', keys: ['j'] },
  { title: 'Previous row', keys: ['k'] },
  { title: 'Open the row', keys: ['Enter'] },
  { title: 'Close', keys: ['Esc'] },
] as const satisfies readonly Line[]

/** The shortcuts of the current screen. */
export function KeyList({ who, onClose }: LayerProps) {
  const palette = usePaletteKey()
  const [on, setOn] = useState(singleKeys.areOn)
  const lines = commandsNow().flatMap(({ title, key, switches = false }) => (key ? [{ title, keys: [key], switches }] : []))
  const [everywhere, here] = [lines.filter(({ switches }) => switches), lines.filter(({ switches }) => !switches)]
  const screens = screensOf(who).flatMap(({ screens }) => screens.map(({ title, key }): Line => ({ title, keys: ['g', key] })))
  return (
    <Dialog title="Keyboard shortcuts" wide open focusesItself onClose={onClose}>
      <div className="mb-4 gap-12 sm:columns-2">
        {here.length > 0 ? <Lines title="This screen" lines={here} /> : null}
        <Lines title="Go to" lines={screens} />
        <Lines title="Lists and details" lines={STEPS} />
        <Lines
          title="Everywhere"
          lines={[
            { title: 'Open the command palette', keys: [palette] },
            { title: 'Show this list', keys: ['?'] },
            ...everywhere,
          ]}
        />
      </div>
      <label className="flex items-center gap-2 border-t pt-4 text-sm">
        <input
          type="checkbox"
          checked={on}
          onChange={({ target }) => {
            singleKeys.turn(target.checked)
            setOn(target.checked)
          }}
        />
        Use letter shortcuts in this browser
      </label>
    </Dialog>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <section aria-label={title} className="mb-5 break-inside-avoid last:mb-0">
      <h3 className="pb-1 text-sm font-semibold">{title}</h3>
      <dl>
        {lines.map((line) => (
          <div key={line.title} className="flex min-h-8 items-center justify-between gap-4">
            <dt>{line.title}</dt>
            <dd className="flex items-center gap-1.5 text-xs text-soft">
              {line.keys.map((key, at) => (
                <Fragment key={key}>
                  {at > 0 ? 'then' : null}
                  <Kbd>{key}</Kbd>
                </Fragment>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
