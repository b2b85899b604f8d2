import { lazyPart } from '#web/ui/lazy-part.tsx'

const load = () => import('./member-parts.ts')

let parts: Awaited<ReturnType<typeof load>> | null = null

/** Called before the first rendering of a member's page: what it shows then needs no script to be seen. */
export async function readyForMembers(): Promise<void> {
  parts = await load()
}

// After a sign-in without a new page they come a moment later; until then their place is kept.
const LaterBar = lazyPart(
  async () => (await load()).BottomBar,
  <div className="fixed inset-x-0 bottom-0 z-30 h-(--bottom-bar) border-t border-hairline bg-paper lg:hidden" />,
)
const LaterFastNumber = lazyPart(
  async () => (await load()).FastNumberButton,
  <span className="size-10 max-lg:hidden" />,
)

export function MembersBottomBar() {
  return parts === null ? <LaterBar /> : <parts.BottomBar />
}

export function MembersFastNumber() {
  return parts === null ? <LaterFastNumber /> : <parts.FastNumberButton />
}
