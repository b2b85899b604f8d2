import { inBackground } from '#web/house/in-background.ts'
import { routeNamed } from '#web/navigation/routes.ts'
import { useNavigate } from '#web/navigation/use-page.ts'
import { isWide } from './use-wide.ts'

export function useShowNumbers(): () => void {
  const navigate = useNavigate()
  return () => {
    const activations = routeNamed('activations')
    if (!isWide() && activations !== undefined) inBackground(navigate(activations.path))
  }
}
