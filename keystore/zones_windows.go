package keystore

import _ "time/tzdata" // Windows has no database of time zones under their usual names; other systems do
