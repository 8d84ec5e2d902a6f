// What every page may use: parts that load themselves (htmx) and the choice of light or dark.
// No page needs this to inform.
import "htmx.org";
import { sendFormToken } from "./site/form-token";
import { chooseTheme } from "./site/theme";
import { showUploads } from "./site/upload";

sendFormToken();
chooseTheme();
showUploads();
