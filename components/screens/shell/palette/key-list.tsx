'use client'

import { useState } from 'react'
import { screensOf } from '../../../client/screen-list'
import { commandsNow, singleKeys } from '../../../ui/commands'
import { Dialog } from '../../../ui/dialog'
import { Kbd } from '../../../ui/kbd'
import type { LayerProps } from '../layers'
import { usePaletteKey } from '../palette-button'

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
    <Dialog title="Keyboard shortcuts" open focusesItself onClose={onClose}>
      <div className="grid gap-5">
        {here.length > 0 ? <Lines title="This screen" lines={here} /> : null}
        <Lines title="Go to" lines={screens} />
        <Lines title="Lists and details" lines={STEPS} />
        <Lines
          title="Everywhere"
          lines={[
            { title: 'Open the command palette', keys: palette.split(' ') },
            { title: 'Show this list', keys: ['?'] },
            ...everywhere,
          ]}
        />
        <label className="flex items-center gap-2 border-t pt-4 text-sm">
          <input
            type="checkbox"
            className="m-0"
            checked={on}
            onChange={({ target }) => {
              singleKeys.turn(target.checked)
              setOn(target.checked)
            }}
          />
          Use letter shortcuts in this browser
        </label>
      </div>
    </Dialog>
  )
}

function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <section aria-label={title}>
      <h3 className="border-b pb-1.5 text-sm font-semibold">{title}</h3>
      <dl className="divide-y">
        {lines.map((line) => (
          <div key={line.title} className="flex min-h-9 items-center justify-between gap-4">
            <dt>{line.title}</dt>
            <dd className="flex gap-1">
              {line.keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
