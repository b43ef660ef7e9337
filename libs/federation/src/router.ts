// What pages use of the router: the shell and all remotes share this one copy. Without the router's data API, which
// nothing here needs and which would cost a guest 18 kB (gzip) more; so there is no `useBlocker` either.
export {
  BrowserRouter,
  Link,
  Navigate,
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  useParams,
  useRoutes,
  useSearchParams,
  type Location,
} from 'react-router-dom'
