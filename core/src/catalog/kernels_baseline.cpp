#define TONEARM_KERNELS baseline
#define TONEARM_KERNELS_NAME "baseline"
#include "catalog/kernels_body.h"
