import { lazyPart } from '#web/ui/lazy-part.tsx'

const load = () => import('./member-parts.ts')

let parts: Awaited<ReturnType<typeof load>> | null = null

/** Loads the members' parts before the first rendering, so that the server's HTML contains them. */
export async function readyForMembers(): Promise<void> {
  parts = await load()
}

// After a sign-in without a page load, the members' parts are fetched. Placeholders take their space until then.
const LaterBar = lazyPart(
  async () => (await load()).BottomBar,
  <div className="fixed inset-x-0 bottom-0 z-30 h-(--bottom-bar) border-t border-hairline bg-paper lg:hidden" />,
)
const LaterFastNumber = lazyPart(
  async () => (await load()).FastNumberButton,
  <span className="size-10 max-lg:hidden" />,
)

const LaterBell = lazyPart(async () => (await load()).Bell, <span className="size-10" />)

export function MembersBell() {
  return parts === null ? <LaterBell /> : <parts.Bell />
}

export function MembersBottomBar() {
  return parts === null ? <LaterBar /> : <parts.BottomBar />
}

export function MembersFastNumber() {
  return parts === null ? <LaterFastNumber /> : <parts.FastNumberButton />
}
