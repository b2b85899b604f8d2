import { inBackground } from '#web/in-background.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { routeNamed } from '#web/routes.ts'
import { isWide } from './use-wide.ts'

/** Without room beside the panel, new numbers and open pre-orders have their own screen. */
export function useShowNumbers(): () => void {
  const navigate = useNavigate()
  return () => {
    const activations = routeNamed('activations')
    if (!isWide() && activations !== undefined) inBackground(navigate(activations.path))
  }
}
