import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useSectionInView } from './section-in-view.ts'

type GroupListProps = { groups: readonly { tag: string; name: string }[] }

export function groupId(tag: string): string {
  return `group-${tag}`
}

/** Renders the links to the groups: on wide screens a side index that stays, elsewhere lines above the calls. */
export function GroupList({ groups }: GroupListProps) {
  const t = useTranslations('reference')
  const shown = useSectionInView(groups.map(({ tag }) => groupId(tag)))
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const current = shown === null ? null : list.current?.querySelector<HTMLElement>('[aria-current]')
    // Only the list scrolls: the page does not move by itself.
    if (list.current !== null && current) list.current.scrollTop = current.offsetTop - list.current.clientHeight / 2
  }, [shown])
  return (
    <nav aria-label={t('groupList')} className="xl:order-2">
      <ul ref={list} className="group-list">
        {groups.map(({ tag, name }) => (
          <li key={tag}>
            <a
              href={`#${groupId(tag)}`}
              aria-current={shown === groupId(tag) ? 'location' : undefined}
              className="group-link"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
