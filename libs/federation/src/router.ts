// The parts of react-router-dom that pages use, shared by the shell and all remotes. The data router is left out: it
// would add 18 kB (gzip) to a guest's download. So there is no `useBlocker` either.
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
