"""The machinery: clusters, runner, reports. It knows no feature by name."""
