import type { ArticleItem, DirectoryPageReply } from '#contract/content.ts'
import { type Choice, isChosen, readChoice } from '#web/buying/initial/choice.ts'
import { ACTIVATION_MODE } from '#web/buying/panel/activation-mode.ts'
import { BuyPanel } from '#web/buying/panel/buy-panel.tsx'
import { loadPanel, type PanelSeed } from '#web/buying/panel/load-panel.ts'
import { readBoardView } from '#web/catalogue/board/board-rows.ts'
import { DirectoryPage, useDirectoryWords } from '#web/catalogue/directory-page.tsx'
import { buyPathOf, type DirectoryKind } from '#web/catalogue/directory-paths.ts'
import { inBackground } from '#web/house/in-background.ts'
import type { LoaderInput } from '#web/navigation/loader-input.ts'
import { routeNamed } from '#web/navigation/routes.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { useSearchParams } from '#web/navigation/use-search-params.ts'
import { ArticleCards } from '#web/reading/article-cards.tsx'
import { loadArticlesAbout } from '#web/reading/load-articles.ts'
import { Board } from './board.tsx'

/** So many rows tell the range of prices, and what stands below the board stays near. */
const SHORT_BOARD = 15

export type OffersPageData = { directory: DirectoryPageReply['data']; panel: PanelSeed; articles: ArticleItem[] }

export async function loadOffersPage(
  { api, url }: Pick<LoaderInput, 'api' | 'url'>,
  kind: DirectoryKind,
  slug: string,
): Promise<OffersPageData> {
  const { data: directory } = await api('GET /api/v1/directory/{kind}/{slug}', { kind, slug })
  const [panel, articles] = await Promise.all([
    loadPanel(api, ACTIVATION_MODE, firstChoice(url.searchParams, kind, directory.item.id)),
    loadArticlesAbout(api, directory.item.name),
  ])
  return { directory, panel, articles }
}

function firstChoice(params: URLSearchParams, kind: DirectoryKind, id: string | number): Choice {
  const choice = readChoice(params)
  if (isChosen(choice)) return choice
  return kind === 'services' ? { ...choice, serviceId: String(id) } : { ...choice, countryId: Number(id) }
}

/** Renders the public page of a service or country: its offers as a board, beside the panel that buys one. */
export function OffersPage({ kind, data }: { kind: DirectoryKind; data: OffersPageData }) {
  const { directory, panel, articles } = data
  const { item, offers, currency } = directory
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const words = useDirectoryWords(kind, directory)
  const showNumbers = () => inBackground(navigate(routeNamed('activations')?.path ?? '/'))
  const rows = offers.map((offer) => ({ ...offer, price: offer.price ?? '0.00' }))
  return (
    <DirectoryPage
      kind={kind}
      data={directory}
      words={words}
      // The panel keeps its first choice, so another page's panel is another one.
      panel={
        <BuyPanel
          key={item.slug}
          mode={ACTIVATION_MODE}
          seed={panel}
          onBought={showNumbers}
          isInPath
          beside={kind === 'services' ? 'country' : 'service'}
        />
      }
      board={
        <Board
          item={item}
          kind={kind === 'services' ? 'countries' : 'services'}
          rows={rows}
          currency={currency}
          view={readBoardView(params)}
          caption={words.board}
          panelPathOf={({ service, country }) =>
            buyPathOf({ serviceId: service.id, countryId: country.id }).replace('/?', '?')
          }
          empty={null}
          fold={SHORT_BOARD}
        />
      }
      articles={articles.length === 0 ? null : <ArticleCards articles={articles} level="h3" />}
    />
  )
}
