import { Banknote, Bitcoin, Coins, CreditCard, Gamepad2, Gift, Landmark, type LucideIcon, Zap } from 'lucide-react'

const ICONS: Record<string, LucideIcon> = {
  play: Gamepad2,
  sandbox: CreditCard,
  card: CreditCard,
  bank: Landmark,
  voucher: Gift,
  coin: Coins,
  bitcoin: Bitcoin,
  lightning: Zap,
}

export function SystemMark({ mark }: { mark: string }) {
  const Icon = ICONS[mark] ?? Banknote
  return (
    <span className="inline-flex size-10 shrink-0 items-center justify-center rounded border border-hairline bg-paper">
      <Icon size={20} aria-hidden />
    </span>
  )
}
