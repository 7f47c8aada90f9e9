import type { ReactNode } from 'react'
import { callOf, type ShownItem } from '@/server/discovery/present'
import { pastEnvironmentOf } from '@/server/x402/networks/networks'
import { Tag } from '../../ui/badge'
import { Breaking } from '../../ui/breaking'
import { cx } from '../../ui/class-names'
import { CopyButton } from '../../ui/copy-button'
import { CallsChart } from './calls-chart'
import { Declared } from './declared'
import { figureTexts } from './figures'
import { PayingPrograms, Price } from './how-to-pay'
import { LEAD, NOTE, PART, PART_TITLE } from './look'
import { Method } from './method'
import { isTemplate, placeOf, readablePath } from './text'
import { Unchecked } from './unchecked'

/** The catalog page of a resource. Merchant text is plain text; none of its links or images load. */
export function Resource({ item, ...extras }: ShownItem) {
  const { resource, serviceName, description, tags = [] } = item
  const { host, path } = placeOf(resource)
  const environment = pastEnvironmentOf(item.accepts[0]?.network ?? '')
  return (
    <article className="grid grid-cols-[minmax(0,1fr)] gap-8 pt-[0.6rem] lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-[auto_1fr] lg:gap-x-12">
      <header className="grid min-w-0 content-start gap-[0.7rem]">
        <p className="text-[0.9rem] wrap-anywhere text-soft">
          <a href="/catalog">Catalog</a> / {host}
        </p>
        <div className="grid gap-1">
          {serviceName && path ? <p className="font-[650] wrap-anywhere">{serviceName}</p> : null}
          <h1 className="text-title wrap-anywhere">{readablePath(path) || serviceName || host}</h1>
        </div>
        <p className={LEAD}>{description ?? 'No description.'}</p>
        <p className="flex min-w-0 items-baseline gap-[0.55rem]">
          <Method>{callOf(item).method}</Method>
          {isTemplate(resource) ? (
            <Address text={resource} />
          ) : (
            <a href={resource} rel="nofollow noreferrer ugc">
              <Address text={resource} />
            </a>
          )}
          <CopyButton text={resource} className="-my-2 self-center" />
        </p>
        {tags.length > 0 ? (
          <ul className="flex flex-wrap gap-[0.35rem]" aria-label="Tags">
            {tags.map((tag) => (
              <li key={tag} className="grid">
                <a href={`/catalog?${new URLSearchParams({ environment, tag })}`} className="no-underline">
                  <Tag>{tag}</Tag>
                </a>
              </li>
            ))}
          </ul>
        ) : null}
      </header>
      {/* Where there is one column, the programs stand below the price. */}
      <div className={cx(COLUMN, 'lg:sticky lg:top-6 lg:mt-[2.2rem] lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-start')}>
        <Price item={item} isNew={extras.isNew} />
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] max-lg:order-2 empty:hidden">
          <Usage {...extras} />
        </div>
      </div>
      <div className={COLUMN}>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] max-lg:order-1">
          <PayingPrograms item={item} />
        </div>
        <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-8 max-lg:order-3">
          <Declared item={item} />
        </div>
        <div className="grid gap-[0.4rem] max-lg:order-4">
          {noteOf(extras)}
          <Unchecked />
        </div>
      </div>
    </article>
  )
}

const COLUMN = 'max-lg:contents lg:grid lg:min-w-0 lg:grid-cols-[minmax(0,1fr)] lg:content-start lg:gap-8'

function Address({ text }: { text: string }) {
  return (
    <code className="wrap-anywhere">
      <Breaking text={text} />
    </code>
  )
}

/** Why a resource has no figures. */
function noteOf({ figures }: Omit<ShownItem, 'item'>): ReactNode {
  if (figureTexts(figures) !== null) return null
  return (
    <p className={NOTE}>
      {figures === null
        ? 'No figures: the merchant keeps no history.'
        : 'Figures appear after the first full UTC day with a payment.'}
    </p>
  )
}

function Usage({ figures, days }: Omit<ShownItem, 'item'>) {
  const texts = figureTexts(figures)
  if (texts === null) return null
  return (
    <section className={PART} aria-labelledby="activity">
      <h2 id="activity" className={PART_TITLE}>
        Last 30 days
      </h2>
      <div className="frame overflow-hidden">
        {days === null ? null : (
          <div className="grid gap-2 border-b px-[1.1rem] pt-[0.9rem] pb-4 text-[0.82rem] text-soft">
            <p className="flex justify-between gap-4">
              <span>Paid calls a day</span> <span>Peak: {Math.max(...days).toLocaleString('en')}</span>
            </p>
            <CallsChart days={days} className="h-18 w-full" />
            <p className="flex justify-between gap-4">
              <span>{days.length} days ago</span> <span>Yesterday</span>
            </p>
          </div>
        )}
        <dl className="grid grid-cols-2 gap-px bg-line sm:max-lg:grid-cols-4">
          <Fact name="Paid calls">{texts.calls}</Fact>
          <Fact name="Payers">{texts.payers}</Fact>
          <Fact name="Success">{texts.success}</Fact>
          <Fact name="Volume">{texts.volume}</Fact>
        </dl>
      </div>
      <p className={NOTE}>
        Payments through the merchant's own keys, on completed days (UTC). Success: share of valid payments that settled.
      </p>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="bg-card px-[1.1rem] py-3">
      <dt className="text-[0.82rem] text-soft">{name}</dt>
      <dd className="text-[1.05rem] font-semibold wrap-anywhere tabular-nums">{children}</dd>
    </div>
  )
}
