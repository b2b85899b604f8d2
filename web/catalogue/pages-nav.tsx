import { useTranslations } from 'use-intl'
import { Link } from '#web/navigation/link.tsx'
import { notThere } from '#web/navigation/loader-input.ts'
import { useLocation } from '#web/navigation/use-page.ts'
import { buttonLook } from '#web/ui/button.tsx'

export function PagesNav({ page, lastPage }: { page: number; lastPage: number }) {
  const t = useTranslations('directory')
  const { pathname, search } = useLocation()
  if (lastPage <= 1) return null
  const toPage = (number: number) => {
    const query = new URLSearchParams(search)
    if (number === 1) query.delete('page')
    else query.set('page', String(number))
    const text = query.toString()
    return pathname + (text === '' ? '' : `?${text}`)
  }
  return (
    <nav aria-label={t('pages')} className="mt-6 flex items-center gap-3">
      {page > 1 ? (
        <Link to={toPage(page - 1)} rel="prev" className={buttonLook()}>
          {t('earlierPage')}
        </Link>
      ) : null}
      <span className="tabular text-muted">{t('pageOf', { page, last: lastPage })}</span>
      {page < lastPage ? (
        <Link to={toPage(page + 1)} rel="next" className={buttonLook()}>
          {t('nextPage')}
        </Link>
      ) : null}
    </nav>
  )
}

/** Returns the page number in the query, by default 1. Throws NOT_FOUND if the value is not a number from 1 to 9999. */
export function readPage(params: URLSearchParams): number {
  const text = params.get('page') ?? ''
  if (text === '') return 1
  if (!/^[1-9]\d{0,3}$/.test(text)) throw notThere()
  return Number(text)
}

export function requirePage(page: number, { last_page }: { last_page: number }): void {
  if (page > last_page) throw notThere()
}
